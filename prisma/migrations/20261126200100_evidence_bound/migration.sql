-- All evidence so far, and that of this month and the next one, becomes the first part of a table that is divided by month
-- ("evidence_by_month"): no row of the former version is later than that while the upgrade runs.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE "evidence" ADD CONSTRAINT "evidence_first_at" CHECK (at < %L) NOT VALID',
    (date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC');
END $$;
