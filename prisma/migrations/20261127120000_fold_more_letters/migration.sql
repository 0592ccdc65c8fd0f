-- Names are folded here and in the program (lib/values/turkish.ts), and what differs is not found: a payee whose name has a capital that only
-- one side knew ("Əliyev", "Иван") was missed by the search, and by the rule that a known name has a new account. Both sides fold the same
-- letters now: Latin, Greek, Cyrillic and Armenian ones, and the same white space. Names in Latin letters do not pay for the others.
CREATE OR REPLACE FUNCTION fold_for_search(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
  btrim(regexp_replace(
    translate(
      translate(
        regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZÆÐØÞĐĦŁŊŒŦƏẞı',
        'abcdefghijklmnopqrstuvwxyzæðøþđħłŋœŧəßi'),
      CASE WHEN value ~ '[^\u0001-\u036f]' THEN
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҚҠҢҮҰҲҶҺӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ' ELSE '' END,
      'αβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғқҡңүұҳҷһәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'),
    '[\u0009-\u000d\u0020\u1680\u2028\u2029\u200b-\u200f\u2060\ufeff]+', ' ', 'g'));

-- Stored folds follow when their row is written. Few names have such a letter, and a row whose new name another one has already stays as it is.
DO $$
DECLARE
  of_it CONSTANT TEXT := '[ÐĦŊŦƏẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҚҠҢҮҰҲҶҺӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ\u1680\u2028\u2029\u200b-\u200f\u2060\ufeff]';
  one UUID;
BEGIN
  UPDATE movements SET name = name WHERE name ~ of_it;
  UPDATE withdraw_records SET name = name WHERE name ~ of_it;
  UPDATE ledger_records SET description = description WHERE concat(sender_name, description, to_description) ~ of_it;
  UPDATE announced_top_ups SET description = description WHERE concat(sender_name, description) ~ of_it;
  UPDATE failed_top_ups SET description = description WHERE description ~ of_it;
  FOR one IN SELECT id FROM recipients WHERE concat(name, nickname) ~ of_it LOOP
    BEGIN
      UPDATE recipients SET name = name, nickname = nickname WHERE id = one;
    EXCEPTION WHEN unique_violation THEN NULL;
    END;
  END LOOP;
  FOR one IN SELECT id FROM batch_templates WHERE name ~ of_it LOOP
    BEGIN
      UPDATE batch_templates SET name = name WHERE id = one;
    EXCEPTION WHEN unique_violation THEN NULL;
    END;
  END LOOP;
END $$;
