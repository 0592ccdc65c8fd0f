-- The short name of a recipient, by which people and payout files name it. At most one recipient has a nickname, in whatever case and
-- with whichever Turkish i it is written.
ALTER TABLE "recipients" ADD COLUMN "nickname" TEXT;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "recipients"
  ADD COLUMN "nickname_fold" TEXT COLLATE "C" GENERATED ALWAYS AS (fold_for_search(nickname)) STORED,
  ADD CONSTRAINT "recipients_nickname" CHECK (length(nickname) BETWEEN 1 AND 40 AND fold_for_search(nickname) <> '');

-- CreateIndex
CREATE UNIQUE INDEX "recipients_merchant_id_nickname_fold_key" ON "recipients"("merchant_id", "nickname_fold");

-- The search box finds a recipient by its nickname as by its name.
DROP INDEX "recipients_search";
CREATE INDEX "recipients_search" ON "recipients" USING gin (search_words(name_fold || ' ' || coalesce(nickname_fold, ''), '=' || nullif(tax_number, ''))) WITH (gin_pending_list_limit = 256);
CREATE OR REPLACE FUNCTION search_recipients(wanted TSQUERY, most INTEGER) RETURNS SETOF UUID LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
  SELECT id FROM recipients WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
    AND search_words(name_fold || ' ' || coalesce(nickname_fold, ''), '=' || nullif(tax_number, '')) @@ wanted
  ORDER BY used_at DESC LIMIT most
$$;

GRANT UPDATE ("nickname") ON "recipients" TO dashboard_web;
