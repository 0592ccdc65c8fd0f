-- Addresses of lists that a person gave a name, as tabs of that list. A deleted one can be brought back for a day.
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "saved_views_merchant_id_person_id_list_created_at_idx" ON "saved_views"("merchant_id", "person_id", "list", "created_at");

ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "saved_views"
  ADD CONSTRAINT "saved_views_name" CHECK (length(name) BETWEEN 1 AND 40),
  ADD CONSTRAINT "saved_views_address" CHECK (length(address) <= 1000);
-- Two tabs of one name would be told apart by nobody.
CREATE UNIQUE INDEX "saved_views_one_name" ON "saved_views" ("person_id", "list", "name") WHERE deleted_at IS NULL;

ALTER TABLE "saved_views" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "saved_views" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ("name", "deleted_at") ON "saved_views" TO dashboard_web;
GRANT SELECT, DELETE ON "saved_views" TO dashboard_worker;
