-- How often in a row a worker could not claim this row: a person is told of one that stands still.
ALTER TABLE "movements" ADD COLUMN "claim_failures" INTEGER NOT NULL DEFAULT 0;
