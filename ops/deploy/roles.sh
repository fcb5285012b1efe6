#!/bin/sh
# Run by the database's container when it is made: the login of the service, which owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v word="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE es_app LOGIN PASSWORD :'word';
SQL
