begin;
select plan(4);
set local role byssus_owner;

select is(byssus.json_string('a"b\c'), '"a\"b\\c"', 'quotes and backslashes');
select is(byssus.json_string(E'a\nb'), '"a\nb"', 'line ends');
select is(byssus.json_string('é ☃'), '"é ☃"', 'anything else stays');
select is(byssus.json_string(null), null, 'nothing stays nothing');

select * from finish();
rollback;
