# Not tried: there was no Homebrew, and only `ruby -c` has read it. OWNER is where the repository will be; a version adds
# `url` and `sha256` of its source.
class Streaks < Formula
  desc "Habits as an append-only log of events"
  homepage "https://OWNER/streaks"
  head "https://OWNER/streaks.git", branch: "main"

  uses_from_macos "swift" => :build # 6.3
  uses_from_macos "libxml2"

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release",
           *("--static-swift-stdlib" if OS.linux?)
    bin.install ".build/release/streaks", ".build/release/streaks-health"
    generate_completions_from_executable(bin/"streaks", "completions", shells: [:bash, :zsh, :fish])
    (man1/"streaks.1").write Utils.safe_popen_read(bin/"streaks", "man")
  end

  test do
    system bin/"streaks", "init", "meditation"
    assert_match "meditation", shell_output("#{bin}/streaks show")
  end
end
