-- The list of receipts counts the failed ones: without this it read all of them.
CREATE INDEX CONCURRENTLY "receipts_failed" ON "receipts"("merchant_id") WHERE state = 'FAILED';
