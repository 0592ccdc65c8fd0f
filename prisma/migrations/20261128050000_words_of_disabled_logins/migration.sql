-- As it was ("api_keys"): the word of an account counts while its login may sign in, as an approval does. Who is disabled in
-- one account is disabled in all.
CREATE OR REPLACE FUNCTION second_person_requests_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agreeing INT;
  denying INT;
  senior INT;
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a request to two people is never deleted' USING ERRCODE = 'MV030'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.closed_at IS NOT NULL OR NEW.outcome IS NOT NULL THEN RAISE EXCEPTION 'a request to two people begins open' USING ERRCODE = 'MV030'; END IF;
    RETURN NEW;
  END IF;
  IF OLD.closed_at IS NOT NULL THEN RAISE EXCEPTION 'a request to two people that is closed stays closed' USING ERRCODE = 'MV030'; END IF;
  IF (NEW.id, NEW.merchant_id, NEW.subject_kind, NEW.subject_id, NEW.bound_to, NEW.maker_id, NEW.needs, NEW.opened_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.subject_kind, OLD.subject_id, OLD.bound_to, OLD.maker_id, OLD.needs, OLD.opened_at) THEN
    RAISE EXCEPTION 'what two people are asked about never changes' USING ERRCODE = 'MV030';
  END IF;
  NEW.closed_at := clock_timestamp();
  IF NEW.outcome IS NULL THEN RETURN NEW; END IF;
  SELECT count(*) FILTER (WHERE w.claim = NEW.outcome), count(*) FILTER (WHERE w.claim <> NEW.outcome),
    count(*) FILTER (WHERE w.claim = NEW.outcome AND (p.role = 'owner' OR (p.role = 'approver' AND NEW.needs = 'approver')))
    INTO agreeing, denying, senior
  FROM (
    SELECT DISTINCT ON (person_id) person_id, claim FROM second_person_words
    WHERE request_id = NEW.id AND at > clock_timestamp() - interval '24 hours' ORDER BY person_id, id DESC) w
  JOIN people p ON p.id = w.person_id AND p.merchant_id = NEW.merchant_id
    AND NOT EXISTS (SELECT FROM people o WHERE o.id IN (SELECT same_login(p.id)) AND o.disabled_at IS NOT NULL)
    AND p.role = ANY(CASE WHEN NEW.subject_kind IN ('send_switch', 'person', 'invitation', 'policy', 'deputy', 'api_key') THEN ARRAY['approver', 'owner'] ELSE ARRAY['clerk', 'approver', 'owner'] END)
  WHERE p.id IS DISTINCT FROM NEW.maker_id;
  IF agreeing < 2 OR denying > 0 OR senior = 0 THEN
    RAISE EXCEPTION 'a request is closed when two people agree and nobody denies it' USING ERRCODE = 'MV031';
  END IF;
  RETURN NEW;
END $$;
