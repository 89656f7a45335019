# The entries in force: each id once, of each key the latest, without what was deleted.
def standing:
  unique_by(.id)
  | (map(select(.type == "entry.deleted") | {(.entry): true}) | add // {}) as $deleted
  | map(select(.type == "entry.logged"))
  | group_by([.habit, .key // .id])
  | map(max_by([has("key"), .asOf // .recorded, .recorded, .id]))
  | map(select($deleted[.id] | not));
