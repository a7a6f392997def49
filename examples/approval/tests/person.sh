# Asks a person over HTTP, and answers for the person. SERVER is the address of `approval serve`.
set -eu

curl -sf "$SERVER/approval?id=train&wait=1s" -H 'Idempotency-Key: expense-7' \
    -d '{"employee": "ada", "purpose": "train to Basel", "amount": 180}'

curl -sf "$SERVER/executions/train"

TOKEN=$(approval show train | sed -n 's/.*, token //p')

curl -sf -X POST "$SERVER/callbacks/$TOKEN/heartbeat"

curl -sf "$SERVER/callbacks/$TOKEN/succeed" -d '{"approved": true, "by": "the manager"}'

curl -sf "$SERVER/executions/train/result?wait=10s"

curl -s -w '%{http_code}\n' "$SERVER/callbacks/$TOKEN/succeed" -d '{"approved": false}'
