-- What a movement is searched by is a column, so that a list which many rows match can look at the words of row after row in its own
-- order, without splitting each name again. New beside the marks of "search": '+number', by which a transfer's receiver was found.
DROP INDEX "movements_search";
ALTER TABLE "movements" ADD COLUMN "words" TSVECTOR GENERATED ALWAYS AS (search_words(fold_for_search(name),
  '#' || nullif(right(iban, 4), ''), '=' || request_id, '=' || transaction_id, '+' || regexp_replace(found_by, '^.*:', ''))) STORED;
CREATE INDEX "movements_search" ON "movements" USING gin (words) WITH (gin_pending_list_limit = 256);

CREATE OR REPLACE FUNCTION search_movements(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT id FROM movements WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid AND words @@ wanted
  ORDER BY created_at DESC LIMIT most
$$;
-- Any of those that match, in no order: a list needs to know whether they are few, and reads no more of them than it asks for. Planned for
-- the words that are asked for: common ones are met soon by reading the table, rare ones are looked up.
CREATE FUNCTION match_movements(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
  SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
  SELECT id FROM movements WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid AND words @@ wanted LIMIT most
$$;
REVOKE ALL ON FUNCTION match_movements FROM PUBLIC;
GRANT EXECUTE ON FUNCTION match_movements TO dashboard_web;
