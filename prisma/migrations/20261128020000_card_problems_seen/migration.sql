-- Who has looked into a card payment that needs attention, and what came of it: the payment then leaves that list.
ALTER TABLE "card_payments"
  ADD COLUMN "problem_seen_by" UUID REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD COLUMN "problem_seen_at" TIMESTAMPTZ(6),
  ADD COLUMN "problem_seen_reason" TEXT;

-- Another reason needs attention again, and so does the same one after it was over, whichever version writes it. A gateway that does not answer
-- for a while is none.
CREATE FUNCTION card_problem_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.problem_seen_by := NULL;
  NEW.problem_seen_at := NULL;
  NEW.problem_seen_reason := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER card_problem_changed BEFORE UPDATE OF "problem", "state" ON "card_payments" FOR EACH ROW
  WHEN ((CASE WHEN OLD.problem <> 'no_answer' THEN OLD.problem WHEN OLD.state = 'maybe_captured' THEN OLD.state END)
    IS DISTINCT FROM (CASE WHEN NEW.problem <> 'no_answer' THEN NEW.problem WHEN NEW.state = 'maybe_captured' THEN NEW.state END))
  EXECUTE FUNCTION card_problem_changed();

GRANT UPDATE ("problem_seen_by", "problem_seen_at", "problem_seen_reason") ON "card_payments" TO dashboard_web;
