# Not tried: only `nix-instantiate --parse` has read it. nixpkgs has no Swift 6.3 to build with, so this takes the tarball
# that .ci/package made, which has to be beside it and in git.
{
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-25.05";
  outputs = { nixpkgs, ... }:
    let pkgs = nixpkgs.legacyPackages.x86_64-linux;
    in {
      packages.x86_64-linux.default = pkgs.stdenv.mkDerivation {
        pname = "streaks";
        version = "0.1.0";
        src = ./streaks-0.1.0-linux-x86_64.tar.gz;
        nativeBuildInputs = [ pkgs.autoPatchelfHook ];
        buildInputs = [ pkgs.stdenv.cc.cc.lib pkgs.libxml2 ];
        installPhase = "cp -r . $out";
      };
    };
}
