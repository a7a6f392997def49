#!/bin/sh
# Allows every refund. The input of the task is on standard input.
cat > /dev/null
echo '{ "allowed": true }'
