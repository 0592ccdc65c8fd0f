-- Reads the table while others write, so that the next migration does not have to.
ALTER TABLE "evidence" VALIDATE CONSTRAINT "evidence_first_at";
