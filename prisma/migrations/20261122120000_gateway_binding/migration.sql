-- The card gateway's address is part of the provider account binding. A database from before does not know it yet: the first worker
-- whose other addresses agree writes it down.
ALTER TABLE "installations" ADD COLUMN "gateway" TEXT;
