-- The optional columns of a list that a person has hidden. A list without a row shows all of them.
CREATE TABLE "list_columns" (
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "hidden" TEXT[],
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "list_columns_pkey" PRIMARY KEY ("person_id","list")
);

ALTER TABLE "list_columns" ADD CONSTRAINT "list_columns_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "list_columns"
  ADD CONSTRAINT "list_columns_list" CHECK (length(list) BETWEEN 1 AND 40),
  ADD CONSTRAINT "list_columns_hidden" CHECK (hidden IS NOT NULL AND cardinality(hidden) <= 20);

ALTER TABLE "list_columns" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "list_columns" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ("hidden", "changed_at") ON "list_columns" TO dashboard_web;
GRANT SELECT ON "list_columns" TO dashboard_worker;
