-- The page of a movement names its retry: without this it read every movement of its merchant.
CREATE INDEX CONCURRENTLY "movements_retries" ON "movements"("retry_of") WHERE retry_of IS NOT NULL;
