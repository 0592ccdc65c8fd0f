-- An e-mail address is one person's, in whatever case it is written: sign-in looks people up in lower case. Where two people differ
-- in nothing else, this fails and names the address: which of them is right, the owner of the installation knows.
CREATE UNIQUE INDEX "people_one_per_email" ON "people" ("merchant_id", lower("email"));
