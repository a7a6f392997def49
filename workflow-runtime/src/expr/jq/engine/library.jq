def empty: _empty;
def true: 0 == 0;
def false: 0 != 0;
def not: if . then false else true end;
def error(f): f | error;
def select(f): if f then . else empty end;
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def normals: select(isnormal);
def finites: select(isfinite);
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");

def range($from; $upto): _range($from; $upto; 1; true) | _tick;
def range($upto): range(0; $upto);
def range($from; $upto; $by): _range($from; $upto; $by; false) | _tick;
def repeat(f): def again: _tick | f, again; again;
def recurse(f): def inner: _tick | ., (f | inner); inner;
def recurse: recurse(.[]?);
def recurse(f; condition): recurse(f | select(condition));
def while(condition; f): def next: _tick | if condition then ., (f | next) else empty end; next;
def until(condition; f): def next: _tick | if condition then . else f | next end; next;
def limit($n; f): if $n < 0 then error("limit doesn't support negative count") else _limit($n; f) end;
def skip($n; f): if $n < 0 then error("skip doesn't support negative count") else _skip($n; f) end;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;
def isempty(f): first((f | false), true);
def all(f; condition): isempty(f | condition and empty);
def any(f; condition): isempty(f | condition or empty) | not;
def all(condition): all(.[]; condition);
def any(condition): any(.[]; condition);

def getpath($path): reduce $path[] as $key (.; .[$key]);
def paths: _paths[];
def paths(f): path(recurse | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def pick(f): . as $all | reduce path(f) as $path (null; setpath($path; $all | getpath($path)));
def with_entries(f): to_entries | map(f) | from_entries;
def walk(f):
  def inner: _tick | if type == "object" then map_values(inner) elif type == "array" then map(inner) else . end | f;
  inner;
def add(f): reduce f as $part (null; . + $part);
def in($of): . as $key | $of | has($key);
def combinations: _combinations[];
def combinations($n): _combinations($n)[];
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): _unique_by(map([f]));
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def tostream: _tostream[];
def fromstream(f): _fromstream([f])[];
def truncate_stream(f): . as $depth | null | f | _truncate_stream($depth)[];
def INDEX(rows; key): reduce rows as $row ({}; .[$row | key | tostring] = $row);
def INDEX(key): INDEX(.[]; key);
def IN(f): any(f == .; .);
def IN(rows; f): any(rows == f; .);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; rows; key): rows | [., $index[key]];
def JOIN($index; rows; key; joined): rows | [., $index[key]] | joined;

def match($pattern; $flags): _match($pattern; $flags)[];
def match($argument): _pattern($argument) as [$pattern, $flags] | match($pattern; $flags);
def test($argument): _pattern($argument) as [$pattern, $flags] | test($pattern; $flags);
def capture($pattern; $flags): _capture($pattern; $flags)[];
def capture($argument): _pattern($argument) as [$pattern, $flags] | capture($pattern; $flags);
def scan($pattern; $flags): _scan($pattern; $flags)[];
def scan($pattern): scan($pattern; null);
def splits($pattern; $flags): split($pattern; $flags)[];
def splits($pattern): splits($pattern; null);
def sub($pattern; f; $flags):
  _edits($pattern; $flags) as [$edits, $rest]
  | if $edits == [] then . else
      reduce $edits[] as [$gap, $groups]
        ([]; . as $made | [$groups | f] | reduce to_entries[] as {$key, $value} ($made; .[$key] += $gap + $value))
      | .[] + $rest
    end;
def sub($pattern; f): sub($pattern; f; "");
def gsub($pattern; f; $flags): sub($pattern; f; $flags + "g");
def gsub($pattern; f): gsub($pattern; f; "");
def todateiso8601: todate;
def fromdateiso8601: fromdate;
def have_literal_numbers: true;
def have_decnum: true;
