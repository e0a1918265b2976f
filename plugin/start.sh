# Starts crewmux: the build of the clone that this plugin came from, else the published package.
here=$(dirname "$0")
for build in "$here/../dist/crewmux.mjs" "$(cat "$here/build-at" 2>/dev/null)"; do
  [ -f "$build" ] && exec node "$build" "$@"
done
[ $# -eq 0 ] && exec npx -y crewmux
exec npx -y --prefer-offline crewmux "$@"
