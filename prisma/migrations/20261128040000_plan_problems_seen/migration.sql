-- Who has looked into a plan whose code the gateway does not know, and what came of it: the plan then leaves the list of what needs attention.
ALTER TABLE "recurring_plans"
  ADD COLUMN "problem_seen_by" UUID REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD COLUMN "problem_seen_at" TIMESTAMPTZ(6),
  ADD COLUMN "problem_seen_reason" TEXT;

-- Another problem needs attention, and so does the same one after it was over, whichever version writes it.
CREATE TRIGGER plan_problem_changed BEFORE UPDATE OF "problem" ON "recurring_plans" FOR EACH ROW
  WHEN (OLD.problem IS DISTINCT FROM NEW.problem) EXECUTE FUNCTION card_problem_changed();

GRANT UPDATE ("problem_seen_by", "problem_seen_at", "problem_seen_reason") ON "recurring_plans" TO dashboard_web;
