-- An owner's release needs no other approval, so none bars it: neither the owner's own, nor that of a deputy or of another
-- account of the same login. Of each kind a person gives one.
DROP INDEX "approvals_movement_id_person_id_key";
DROP INDEX "approvals_one_of_a_pair";
CREATE UNIQUE INDEX "approvals_one_of_a_person" ON "approvals" ("movement_id", "person_id", ("override_reason" IS NULL));
CREATE UNIQUE INDEX "approvals_one_of_a_pair" ON "approvals" ("movement_id", coalesce("deputy_of", "person_id"), ("override_reason" IS NULL));

-- As it was ("one_login_one_word"), for approvals.
CREATE OR REPLACE FUNCTION approvals_one_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.override_reason IS NULL AND EXISTS (SELECT FROM approvals a WHERE a.movement_id = NEW.movement_id AND a.person_id <> NEW.person_id
      AND a.person_id IN (SELECT same_login(NEW.person_id))) THEN
    RAISE EXCEPTION 'one login approves once' USING ERRCODE = 'MV055';
  END IF;
  RETURN NEW;
END $$;

-- As it was ("deputies"): the one approval of a pair does not bar a release.
CREATE OR REPLACE FUNCTION approvals_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  its_role TEXT;
BEGIN
  NEW.created_at := clock_timestamp();
  NEW.deputy_of := NULL;
  SELECT p.role INTO its_role FROM people p WHERE p.id = NEW.person_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL;
  IF its_role IS NULL OR its_role NOT IN ('approver', 'owner') THEN
    PERFORM FROM deputyships d WHERE d.deputy_id = NEW.person_id AND d.ends_at > NEW.created_at AND d.ended_at IS NULL FOR SHARE;
    NEW.created_at := clock_timestamp();
    NEW.deputy_of := deputy_for(NEW.person_id, NEW.created_at);
    its_role := 'approver';
    IF NEW.deputy_of IS NULL THEN
      RAISE EXCEPTION 'this person may not approve' USING ERRCODE = 'MV052';
    END IF;
  END IF;
  IF EXISTS (SELECT FROM movement_makers(NEW.movement_id) AS maker WHERE maker IN (NEW.person_id, NEW.deputy_of)) THEN
    RAISE EXCEPTION 'nobody approves what they have made' USING ERRCODE = 'MV053';
  END IF;
  IF NEW.override_reason IS NULL AND EXISTS (SELECT FROM approvals a WHERE a.movement_id = NEW.movement_id
      AND coalesce(a.deputy_of, a.person_id) IN (SELECT same_login(coalesce(NEW.deputy_of, NEW.person_id)))
      AND (a.deputy_of IS NOT NULL OR NEW.deputy_of IS NOT NULL)) THEN
    RAISE EXCEPTION 'a deputy and the person represented approve once' USING ERRCODE = 'MV055';
  END IF;
  IF NOT EXISTS (SELECT FROM movements m WHERE m.id = NEW.movement_id AND m.merchant_id = NEW.merchant_id
      AND m.state = 'AWAITING_APPROVAL' AND m.content_hash = NEW.content_hash) THEN
    RAISE EXCEPTION 'an approval is of the content that waits for it' USING ERRCODE = 'MV054';
  END IF;
  NEW.role := its_role;
  RETURN NEW;
END $$;
