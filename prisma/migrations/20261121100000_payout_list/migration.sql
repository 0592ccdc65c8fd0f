-- What the list of payouts searches, sorts and groups by. Columns, not expressions: under row-level security an index
-- condition must be a leakproof comparison of a plain column.

-- The same letters as lib/turkish.ts folds: "ISIK", "ışık", "Işık" and "IŞIK" become one. Written out, because lower() follows
-- the database's locale and knows ASCII only in C.
CREATE FUNCTION fold_for_search(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
  btrim(regexp_replace(
    translate(
      regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZıØŁĐÞÆŒ', 'abcdefghijklmnopqrstuvwxyziøłđþæœ'),
    '\s+', ' ', 'g'));

-- The Turkish alphabet in the order of bytes: a letter with a mark follows its plain one ('{' comes after 'z'), and ı follows h.
CREATE FUNCTION turkish_sort_key(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
  btrim(regexp_replace(normalize(
    replace(replace(replace(replace(replace(replace(
      translate(normalize(value, NFC), 'ABCÇDEFGĞHIİJKLMNOÖPQRSŞTUÜVWXYZ', 'abcçdefgğhıijklmnoöpqrsştuüvwxyz'),
      'ç', 'c{'), 'ğ', 'g{'), 'ı', 'h{'), 'ö', 'o{'), 'ş', 's{'), 'ü', 'u{'),
    NFKD), '[\u0300-\u036f]', '', 'g'));

ALTER TABLE "movements"
  ADD COLUMN "name_fold" TEXT COLLATE "C" GENERATED ALWAYS AS (fold_for_search(name)) STORED,
  ADD COLUMN "name_sort" TEXT COLLATE "C" GENERATED ALWAYS AS (turkish_sort_key(name)) STORED,
  -- The list's tabs: every movement is in exactly one.
  ADD COLUMN "bucket" TEXT COLLATE "C" GENERATED ALWAYS AS (
    CASE
      WHEN attention IS NOT NULL OR refund = 'REPORTED' OR state IN ('AWAITING_APPROVAL', 'UNKNOWN', 'MANUAL_REVIEW') THEN 'attention'
      WHEN state IN ('DRAFT', 'APPROVED', 'SUBMITTING', 'PENDING') THEN 'progress'
      WHEN state = 'COMPLETED' AND refund = 'NONE' THEN 'completed'
      ELSE 'failed'
    END) STORED;

-- Carries what the sum of a filter needs: 100,000 rows are summed without touching the table.
CREATE INDEX "movements_merchant_id_rail_bucket_created_at_id_idx" ON "movements" ("merchant_id", "rail", "bucket", "created_at" DESC, "id")
  INCLUDE ("wallet", "currency", "amount_minor");
CREATE INDEX "movements_merchant_id_rail_amount_minor_id_idx" ON "movements" ("merchant_id", "rail", "amount_minor", "id");
CREATE INDEX "movements_merchant_id_rail_name_sort_id_idx" ON "movements" ("merchant_id", "rail", "name_sort", "id");
-- What is known of a recipient is looked up by any of the three (the IBAN has its index).
CREATE INDEX "movements_merchant_id_tax_number_idx" ON "movements" ("merchant_id", "tax_number");
CREATE INDEX "movements_merchant_id_name_fold_idx" ON "movements" ("merchant_id", "name_fold");
