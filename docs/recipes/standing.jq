# The entries in force: each id once, without what was deleted.
def standing:
  unique_by(.id)
  | (map(select(.type == "entry.deleted") | {(.entry): true}) | add // {}) as $deleted
  | map(select(.type == "entry.logged" and ($deleted[.id] | not)));
