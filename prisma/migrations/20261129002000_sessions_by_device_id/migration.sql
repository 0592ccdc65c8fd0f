-- Each device that is deleted is looked for in this table.
CREATE INDEX CONCURRENTLY "sessions_device_id_idx" ON "sessions"("device_id");
