-- The key of a table that is divided by month holds its time ("evidence_by_month").
CREATE UNIQUE INDEX CONCURRENTLY "evidence_first_pkey" ON "evidence"("id", "at");
