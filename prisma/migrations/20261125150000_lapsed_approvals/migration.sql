-- What was approved and has not left waits again when one of its approvers is disabled.
INSERT INTO "movement_steps" ("from_state", "to_state", "taken_by") VALUES
  ('APPROVED', 'AWAITING_APPROVAL', 'dashboard_worker');

-- As it was ("deputies"): an approval counts while the person who gave it, and the person represented, may sign in.
CREATE OR REPLACE FUNCTION movements_approved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked INT;
  by_owners BOOLEAN;
  other BOOLEAN;
  given INT;
  released BOOLEAN;
  methods TEXT[];
BEGIN
  SELECT greatest(NEW.approvals_needed, coalesce(max(r.needed), 0)), coalesce(bool_or(r.owners_only), false),
      coalesce(bool_or(r.content_hash <> NEW.content_hash), false),
      CASE WHEN bool_or(r.step_up = 'passkey') THEN ARRAY['passkey'] WHEN bool_or(r.step_up = 'any') THEN ARRAY['passkey', 'sign_in'] END
    INTO asked, by_owners, other, methods FROM approval_requirements r WHERE r.movement_id = NEW.id;
  IF other THEN RAISE EXCEPTION 'the policy judged another content' USING ERRCODE = 'MV011'; END IF;
  IF asked = 0 THEN RETURN NEW; END IF;
  SELECT count(DISTINCT coalesce(a.deputy_of, a.person_id)) FILTER (WHERE a.role = 'owner' OR NOT by_owners),
      coalesce(bool_or(a.role = 'owner' AND a.override_reason IS NOT NULL), false)
    INTO given, released FROM approvals a LEFT JOIN step_ups s ON s.id = a.step_up_id
    WHERE a.movement_id = NEW.id AND a.content_hash = NEW.content_hash AND a.person_id <> NEW.maker_id
      AND a.deputy_of IS DISTINCT FROM NEW.maker_id
      AND NOT EXISTS (SELECT FROM people p WHERE p.id IN (a.person_id, a.deputy_of) AND p.disabled_at IS NOT NULL)
      AND (methods IS NULL OR s.method = ANY(methods));
  IF given < asked AND NOT released THEN RAISE EXCEPTION 'not enough approvals of this content' USING ERRCODE = 'MV011'; END IF;
  RETURN NEW;
END $$;
