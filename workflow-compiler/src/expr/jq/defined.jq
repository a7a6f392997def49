def add(f): reduce f as $x (null; . + $x);

def all: all(.[]; .);

def all(f): all(.[]; f);

def any: any(.[]; .);

def any(f): any(.[]; f);

def arrays: select(type == "array");

def booleans: select(type == "boolean");

def finites: numbers | select(isinfinite or isnan | not);

def first: .[0];

def fromdate: fromdateiso8601;

def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;

def fromstream(f): {value: null, done: false} as $start | foreach f as $event ($start; if .done then $start else . end | if ($event | length) == 2 then .done = ($event[0] | length == 0) | setpath(["value"] + $event[0]; $event[1]) else .done = ($event[0] | length == 1) end; if .done then .value else empty end);

def IN(f; s): any(f == s; .);

def IN(s): any(s == .; .);

def in(xs): . as $x | xs | has($x);

def INDEX(f): INDEX(.[]; f);

def INDEX(s; f): reduce s as $row ({}; .[$row | f | tostring] = $row);

def inside(xs): . as $x | xs | contains($x);

def iterables: select(type | . == "array" or . == "object");

def JOIN($index; key): [.[] | [., $index[key]]];

def JOIN($index; s; key): s | [., $index[key]];

def JOIN($index; s; key; join): s | [., $index[key]] | join;

def last: .[-1];

def map(f): [.[] | f];

def map_values(f): .[] |= f;

def normals: select(isnormal);

def nth($n): .[$n];

def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;

def nulls: select(. == null);

def numbers: select(type == "number");

def objects: select(type == "object");

def paths(f): path(.. | select(f)) | select(length > 0);

def paths: path(..) | select(length > 0);

def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));

def range(upto): range(0; upto);

def recurse(f; c): recurse(f | select(c));

def scalars: select(type | . != "array" and . != "object");

def strings: select(type == "string");

def todate: strftime("%Y-%m-%dT%H:%M:%SZ");

def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");

def truncate_stream(s): . as $n | null | s | if (.[0] | length) > $n then .[0] |= .[$n:] else empty end;

def values: select(. != null);

def with_entries(f): to_entries | map(f) | from_entries;
