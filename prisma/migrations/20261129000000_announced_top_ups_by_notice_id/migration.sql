-- Each webhook that is deleted is looked for in this table.
CREATE INDEX CONCURRENTLY "announced_top_ups_notice_id_idx" ON "announced_top_ups"("notice_id");
