-- The search box finds card payments, payment links, plans and the customers with saved cards: by the words of their numbers and names,
-- and by a card's last four digits, a mark ('#4509') as in "search". No other digit of a card is stored, so none can be found.
CREATE FUNCTION card_payment_text(invoice_id TEXT, order_id TEXT, content JSONB, link TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  fold_for_search(coalesce(invoice_id, '') || ' ' || coalesce(order_id, '') || ' ' || coalesce(content #>> '{buyer,name}', '') || ' '
    || coalesce(content #>> '{buyer,surname}', '') || ' ' || coalesce(content ->> 'description', '') || ' '
    || regexp_replace(coalesce(link, ''), '^.*/', ''));
CREATE FUNCTION card_marks(cards TEXT[]) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ARRAY(SELECT '#' || one FROM unnest(cards) AS one);

CREATE INDEX "card_payments_search" ON "card_payments" USING gin (search_words(card_payment_text(invoice_id, order_id, content, link),
  '#' || card)) WITH (gin_pending_list_limit = 256);
CREATE INDEX "recurring_plans_search" ON "recurring_plans" USING gin (search_words(fold_for_search(plan_code || ' ' || coalesce(first_order_id, '')),
  '#' || card)) WITH (gin_pending_list_limit = 256);
CREATE INDEX "card_customers_search" ON "card_customers" USING gin (search_words(fold_for_search(number || ' ' || coalesce(name, '')),
  VARIADIC card_marks(cards))) WITH (gin_pending_list_limit = 256);

CREATE FUNCTION search_card_payments(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT id FROM card_payments WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(card_payment_text(invoice_id, order_id, content, link), '#' || card) @@ wanted
  ORDER BY first_seen_at DESC LIMIT most
$$;
CREATE FUNCTION search_plans(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT id FROM recurring_plans WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(fold_for_search(plan_code || ' ' || coalesce(first_order_id, '')), '#' || card) @@ wanted
  ORDER BY first_seen_at DESC LIMIT most
$$;
CREATE FUNCTION search_card_customers(wanted TSQUERY, most INTEGER) RETURNS SETOF TEXT LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT number FROM card_customers WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(fold_for_search(number || ' ' || coalesce(name, '')), VARIADIC card_marks(cards)) @@ wanted
  ORDER BY read_at DESC LIMIT most
$$;

REVOKE ALL ON FUNCTION search_card_payments, search_plans, search_card_customers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_card_payments, search_plans, search_card_customers TO dashboard_web;
