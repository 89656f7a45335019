#include "PageFiles.h"

// The files of a script stand in an order in which each follows those that it uses.

#define FILE_OF(name) \
  EmbeddedFile name(void) { return (EmbeddedFile){name##_bytes, sizeof name##_bytes}; }

static const unsigned char report_html_bytes[] = {
#embed "../ReportPage/Page/report.html" suffix(,)
};
FILE_OF(report_html)

static const unsigned char report_css_bytes[] = {
#embed "../ReportPage/Page/common.css" suffix(,)
#embed "../ReportPage/Page/report.css" suffix(,)
};
FILE_OF(report_css)

static const unsigned char report_js_bytes[] = {
#embed "../ReportPage/Page/common.js" suffix(,)
#embed "../ReportPage/Page/ledger.js" suffix(,)
#embed "../ReportPage/Page/words.js" suffix(,)
#embed "../ReportPage/Page/dates.js" suffix(,)
#embed "../ReportPage/Page/changes.js" suffix(,)
#embed "../ReportPage/Page/step.js" suffix(,)
#embed "../ReportPage/Page/cards.js" suffix(,)
#embed "../ReportPage/Page/books.js" suffix(,)
#embed "../ReportPage/Page/trend.js" suffix(,)
#embed "../ReportPage/Page/year.js" suffix(,)
#embed "../ReportPage/Page/month.js" suffix(,)
#embed "../ReportPage/Page/day.js" suffix(,)
#embed "../ReportPage/Page/chain.js" suffix(,)
#embed "../ReportPage/Page/slider.js" suffix(,)
};
FILE_OF(report_js)

static const unsigned char served_report_js_bytes[] = {
#embed "../ReportPage/Page/listen.js" suffix(,)
#embed "../ReportPage/Page/served.js" suffix(,)
};
FILE_OF(served_report_js)

static const unsigned char daily_html_bytes[] = {
#embed "../DailyPage/Page/app.html" suffix(,)
};
FILE_OF(daily_html)

static const unsigned char daily_css_bytes[] = {
#embed "../ReportPage/Page/common.css" suffix(,)
#embed "../DailyPage/Page/app.css" suffix(,)
};
FILE_OF(daily_css)

static const unsigned char daily_js_bytes[] = {
#embed "../ReportPage/Page/common.js" suffix(,)
#embed "../DailyPage/Page/days.js" suffix(,)
#embed "../DailyPage/Page/words.js" suffix(,)
#embed "../DailyPage/Page/service.js" suffix(,)
#embed "../DailyPage/Page/store.js" suffix(,)
#embed "../DailyPage/Page/ledger.js" suffix(,)
#embed "../DailyPage/Page/queue.js" suffix(,)
#embed "../DailyPage/Page/order.js" suffix(,)
#embed "../DailyPage/Page/measures.js" suffix(,)
#embed "../DailyPage/Page/changes.js" suffix(,)
#embed "../DailyPage/Page/celebrations.js" suffix(,)
#embed "../DailyPage/Page/month.js" suffix(,)
#embed "../DailyPage/Page/dialogs.js" suffix(,)
#embed "../DailyPage/Page/entries.js" suffix(,)
#embed "../DailyPage/Page/excuses.js" suffix(,)
#embed "../DailyPage/Page/levels.js" suffix(,)
#embed "../DailyPage/Page/habits.js" suffix(,)
#embed "../DailyPage/Page/begin.js" suffix(,)
#embed "../DailyPage/Page/cards.js" suffix(,)
#embed "../ReportPage/Page/listen.js" suffix(,)
#embed "../DailyPage/Page/page.js" suffix(,)
};
FILE_OF(daily_js)

static const unsigned char daily_worker_js_bytes[] = {
#embed "../DailyPage/Page/sw.js" suffix(,)
};
FILE_OF(daily_worker_js)

static const unsigned char daily_manifest_json_bytes[] = {
#embed "../DailyPage/Page/manifest.json" suffix(,)
};
FILE_OF(daily_manifest_json)

static const unsigned char daily_icon_svg_bytes[] = {
#embed "../DailyPage/Page/icon.svg" suffix(,)
};
FILE_OF(daily_icon_svg)

static const unsigned char daily_icon_png_bytes[] = {
#embed "../DailyPage/Page/icon.png" suffix(,)
};
FILE_OF(daily_icon_png)

static const unsigned char openapi_json_bytes[] = {
#embed "../StreakServer/openapi.json" suffix(,)
};
FILE_OF(openapi_json)
