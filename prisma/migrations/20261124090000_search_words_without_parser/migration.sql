-- The text search parser reads "9e9" within "9é9aaaa" as a number and ends a word there; typed whole, such a name was not found. Words are
-- now split as lib/search/understand.ts splits them: every character that is neither a letter nor a digit separates. A dot still both parts
-- and joins. The classes of characters are listed, because what counts as a letter depends on the locale of the database. SET keeps the
-- function whole in a plan, so that its cost counts and the planner prefers the index to computing it for each row.
CREATE OR REPLACE FUNCTION search_words(folded TEXT, VARIADIC marks TEXT[]) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 500
  SET search_path = pg_catalog, pg_temp RETURN
  array_to_tsvector(array_remove(regexp_split_to_array(
      left(coalesce(folded, ''), 500) || ' ' || replace(left(coalesce(folded, ''), 500), '.', ''),
      '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\u00d7\u00f7\u02b0-\u036f\u2000-\u206f\u20a0-\u20cf\u2100-\u2bff\u3000-\u303f\ufe00-\ufe0f\U0001f000-\U0001faff]+'), ''))
  || array_to_tsvector(array_remove(marks, NULL));

REINDEX INDEX "movements_search";
REINDEX INDEX "ledger_records_search";
REINDEX INDEX "withdraw_records_search";
REINDEX INDEX "recipients_search";
REINDEX INDEX "card_payments_search";
REINDEX INDEX "recurring_plans_search";
REINDEX INDEX "card_customers_search";
