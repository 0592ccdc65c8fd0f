-- What the search box looks up beside the keys that have an index already: words anywhere in a name, numbers that the provider gave,
-- the whole of an IBAN or its last four. Under row-level security no such index can be used by a query, so each table has a function
-- that looks only at the rows of the asking transaction's merchant and answers nothing but their keys.

-- Words of folded text (fold_for_search), a dot inside one both parting and joining: "a.s." is "a", "s" and "as". Marks ('=number',
-- '#last four') are no words: nobody who types one can reach them.
CREATE FUNCTION search_words(folded TEXT, VARIADIC marks TEXT[]) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  strip(to_tsvector('simple'::regconfig, translate(left(coalesce(folded, ''), 500) || ' ' || replace(left(coalesce(folded, ''), 500), '.', ''), './-_@:<>&+''’', '            ')))
  || array_to_tsvector(array_remove(marks, NULL));

CREATE INDEX "movements_search" ON "movements" USING gin (search_words(name_fold,
  '#' || nullif(right(iban, 4), ''), '=' || request_id, '=' || transaction_id)) WITH (gin_pending_list_limit = 256);
CREATE INDEX "ledger_records_search" ON "ledger_records" USING gin (search_words(text_fold,
  '#' || nullif(right(sender_iban, 4), ''), '=' || sender_iban, '=' || receipt_number)) WITH (gin_pending_list_limit = 256);
CREATE INDEX "withdraw_records_search" ON "withdraw_records" USING gin (search_words(name_fold,
  '#' || nullif(right(iban, 4), ''), '=' || tax_number, '=' || correlation_id)) WITH (gin_pending_list_limit = 256);

CREATE INDEX "recipients_search" ON "recipients" USING gin (search_words(name_fold, '=' || nullif(tax_number, ''))) WITH (gin_pending_list_limit = 256);

CREATE FUNCTION search_movements(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT id FROM movements WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(name_fold, '#' || nullif(right(iban, 4), ''), '=' || request_id, '=' || transaction_id) @@ wanted
  ORDER BY created_at DESC LIMIT most
$$;
CREATE FUNCTION search_ledger(wanted TSQUERY, most INTEGER) RETURNS SETOF TEXT LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT id FROM ledger_records WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(text_fold, '#' || nullif(right(sender_iban, 4), ''), '=' || sender_iban, '=' || receipt_number) @@ wanted
  ORDER BY created_at DESC LIMIT most
$$;
CREATE FUNCTION search_withdrawals(wanted TSQUERY, most INTEGER) RETURNS SETOF TEXT LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT request_id FROM withdraw_records WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(name_fold, '#' || nullif(right(iban, 4), ''), '=' || tax_number, '=' || correlation_id) @@ wanted
  ORDER BY created_at DESC LIMIT most
$$;
CREATE FUNCTION search_recipients(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT id FROM recipients WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(name_fold, '=' || nullif(tax_number, '')) @@ wanted
  ORDER BY used_at DESC LIMIT most
$$;

REVOKE ALL ON FUNCTION search_movements, search_ledger, search_withdrawals, search_recipients FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_movements, search_ledger, search_withdrawals, search_recipients TO dashboard_web;

-- A notice is found by the reference it names.
CREATE INDEX "notices_merchant_id_ext_id_idx" ON "notices" ("merchant_id", "ext_id");
