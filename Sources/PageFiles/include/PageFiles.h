#ifndef PAGE_FILES_H
#define PAGE_FILES_H

#include <stddef.h>

/// A file that is part of the program.
///
/// The C compiler embeds a file at once. As an array in Swift, each of its bytes is an expression,
/// and the pages and openapi.json took a quarter of the time of the first build.
typedef struct __attribute__((swift_attr("@safe"))) {
  const unsigned char *_Nonnull bytes;
  ptrdiff_t count;
} EmbeddedFile;

/// The template of the report, with marks for its parts.
EmbeddedFile report_html(void);
/// The colors and the looks of elements that both pages share, and the report's own.
EmbeddedFile report_css(void);
/// The script of the report.
EmbeddedFile report_js(void);
/// The second part of the script of a report that the service shows. It loads other steps.
EmbeddedFile served_report_js(void);

/// The document of the daily page.
EmbeddedFile daily_html(void);
/// The colors and the looks of elements that both pages share, and the daily page's own.
EmbeddedFile daily_css(void);
/// The script of the daily page.
EmbeddedFile daily_js(void);
/// The service worker of the daily page, with a mark for its version.
EmbeddedFile daily_worker_js(void);
/// The manifest of the daily page as an app.
EmbeddedFile daily_manifest_json(void);
/// The icon of the daily page.
EmbeddedFile daily_icon_svg(void);
/// The icon of the daily page on a phone.
EmbeddedFile daily_icon_png(void);

/// The description of the service.
EmbeddedFile openapi_json(void);

#endif
