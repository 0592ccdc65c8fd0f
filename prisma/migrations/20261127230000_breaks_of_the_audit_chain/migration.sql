-- Every break that the worker's last check of the chain found, not only the first (broken_seq, broken_why): only a break that is not among them
-- stops sending again. The former version leaves the column as it is.
ALTER TABLE "audit_checks" ADD COLUMN "breaks" JSONB;
