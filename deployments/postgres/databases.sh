#!/bin/sh
# Two databases, each with an account of its own: whoever reaches the rating page's cannot reach
# Prefect's. The image of PostgreSQL runs this once, when its volume is new.
set -eu

for name in ocrjury prefect; do
  psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set name="$name" --set password="$(cat "/run/secrets/${name}_database")" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name" ENCODING 'UTF8' TEMPLATE template0;
REVOKE CONNECT ON DATABASE :"name" FROM PUBLIC;
SQL
done
