-- Requests for .ci/http: wrk [OPTIONS] -s .ci/http_load.lua URL -- METHOD LOGIN:PASSWORD-IN-BASE64
-- One line of figures; the status is 1 where a request failed or was refused.
function init(words)
  wrk.method = words[1]
  wrk.headers["Authorization"] = "Basic " .. words[2]
  if wrk.method == "POST" then
    wrk.headers["Content-Type"] = "application/json"
    wrk.body = '{"type":"entry.logged","habit":"awareness"}'
  end
end

function done(summary, latency)
  local failed = 0
  for _, count in pairs(summary.errors) do failed = failed + count end
  print(string.format("%.0f requests/s, median %.1f ms, p99 %.1f ms; %d failed",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
  os.exit(failed == 0 and summary.requests > 0 and 0 or 1)
end
