"""What a routine keeps from the session that made it, and how it answers."""

from __future__ import annotations

import json
import re

import pymysql
import pytest

from byssus import assets
from byssus.schema.revisions import MysqlConnection
from byssus.schema.shipped import routine_files
from byssus.store.transitions import TRANSITIONS
from tests.mysql.calls import REGISTRATION, TIMER, Caller

pytestmark = pytest.mark.engines("mariadb", "mysql")

SQL_MODE = {
    "ONLY_FULL_GROUP_BY",
    "STRICT_TRANS_TABLES",
    "STRICT_ALL_TABLES",
    "NO_ZERO_IN_DATE",
    "NO_ZERO_DATE",
    "ERROR_FOR_DIVISION_BY_ZERO",
    "NO_ENGINE_SUBSTITUTION",
}
BY_BYTES = {"mariadb": "utf8mb4_nopad_bin", "mysql": "utf8mb4_0900_bin"}


def _rows(connection: MysqlConnection, query: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def test_every_routine_was_made_under_the_settings_of_the_installation(
    owner: MysqlConnection, engine: str
) -> None:
    routines = _rows(
        owner,
        "SELECT routine_name, sql_mode, character_set_client, collation_connection, database_collation"
        " FROM information_schema.routines WHERE routine_schema = DATABASE()",
    )
    triggers = _rows(
        owner,
        "SELECT trigger_name, sql_mode, character_set_client, collation_connection, database_collation"
        " FROM information_schema.triggers WHERE trigger_schema = DATABASE()",
    )
    assert len(routines) > len(TRANSITIONS)
    assert triggers
    for name, mode, client, connection, database in routines + triggers:
        assert set(mode.split(",")) == SQL_MODE, name
        assert (client, connection, database) == ("utf8mb4", BY_BYTES[engine], BY_BYTES[engine]), name


def test_every_text_column_is_compared_by_bytes(owner: MysqlConnection, engine: str) -> None:
    collations = _rows(
        owner,
        "SELECT DISTINCT c.collation_name FROM information_schema.columns AS c"
        " INNER JOIN information_schema.tables AS t"
        " ON c.table_schema = t.table_schema AND c.table_name = t.table_name"
        " WHERE t.table_schema = DATABASE() AND t.table_type = 'BASE TABLE' AND c.collation_name IS NOT NULL",
    )
    assert collations == [(BY_BYTES[engine],)]


def test_every_transition_acts_with_the_rights_of_its_owner(owner: MysqlConnection) -> None:
    procedures = _rows(
        owner,
        "SELECT routine_name, security_type FROM information_schema.routines"
        " WHERE routine_schema = DATABASE() AND routine_type = 'PROCEDURE'",
    )
    assert {transition.name for transition in TRANSITIONS} <= {name for name, _ in procedures}
    assert {security for _, security in procedures} == {"DEFINER"}


def test_a_name_of_256_bytes_is_refused_though_the_session_would_cut_it(caller: Caller) -> None:
    with caller.connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_mode = ''")
    for name in ("w" * 256, "\U0001f6b2" * 64, "w" * 5000):
        with pytest.raises(pymysql.Error):
            caller.start(name)
        assert not caller.has_open_transaction()
    assert caller.scalar("SELECT COUNT(*) FROM workflows WHERE workflow_id LIKE 'ww%%'") == 0


def test_a_name_of_255_bytes_is_kept_whole(caller: Caller) -> None:
    for name in ("w" * 255, "\U0001f6b2" * 63 + "xyz"):
        run_id = caller.start(name)
        assert caller.workflow_of(run_id) == name
        caller.remove(run_id)


def test_what_does_not_fit_is_refused_though_the_session_would_cut_it(caller: Caller) -> None:
    """Inside, a routine is as strict as it was made: nothing is cut on its way into a table."""
    with caller.connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_mode = ''")
    with pytest.raises(pymysql.Error):
        caller.register(protocol_version="1" * 33)
    assert (
        caller.scalar(
            "SELECT max_concurrent_workflow_tasks FROM worker_registrations WHERE worker_id = %s",
            caller.worker,
        )
        == REGISTRATION["max_concurrent_workflow_tasks"]
    )


def test_a_fault_has_a_number_that_drivers_can_read_and_a_text_that_fits() -> None:
    """Drivers read the number as a signed word of 16 bits; the server cuts a text after 128 characters."""
    root = assets.path("sql") / "mysql"
    texts = [file.text for file in routine_files("mysql")]
    texts += [path.read_text(encoding="utf-8") for path in root.rglob("*.sql")]
    numbers = [int(number) for text in texts for number in re.findall(r"MYSQL_ERRNO = (\d+)", text)]
    signals = sum(text.count("SIGNAL SQLSTATE") for text in texts)
    assert len(numbers) == signals > 0, "every signal has a number of its own"
    assert {number for number in numbers if not 30_000 < number < 32_768} == set()
    assert all("v_message VARCHAR(128)" in text for text in texts if "SIGNAL SQLSTATE" in text)


def test_a_transition_ends_with_its_only_result() -> None:
    """What is signalled behind a result is raised by the next statement, and not by the call.

    On MySQL a text that is too long is an error (1265) whose SQLSTATE says warning: it is no SQLEXCEPTION.
    """
    handler = re.compile(
        r"DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265\n +BEGIN\n +ROLLBACK;\n +RESIGNAL;\n +END;\n"
    )
    statements_of_an_answer = re.compile(r"(SELECT [^;]*|IF \w+ THEN|ELSE|END IF|);?")
    texts = {file.name: file.text for file in routine_files("mysql")}
    for transition in TRANSITIONS:
        body, answer = texts.pop(transition.name).split("    COMMIT;\n")
        assert len(handler.findall(body)) == 1, transition.name
        lines = re.sub(r"(THEN|ELSE)\n", r"\1;", answer.partition("END//")[0]).split(";")
        assert all(statements_of_an_answer.fullmatch(line.strip()) for line in lines), transition.name
    for name, text in texts.items():
        assert not re.search(r"\b(COMMIT|ROLLBACK(?! TO SAVEPOINT)|START TRANSACTION)\b", text), name


def test_a_part_that_fails_goes_back_to_its_savepoint_or_fails_with_all_that_is_gone() -> None:
    """After a deadlock there is no savepoint: to go on would be to commit what is left."""
    handler = re.compile(
        r"    SAVEPOINT (\w+);\n"
        r"    part: BEGIN\n"
        r"        DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265\n"
        r"        BEGIN\n"
        r"            -- [^\n]*\n"
        r"            DECLARE CONTINUE HANDLER FOR 1305 SET v_is_lost = TRUE;\n"
        r"            GET DIAGNOSTICS CONDITION 1 v_state = RETURNED_SQLSTATE;\n"
        r"            ROLLBACK TO SAVEPOINT \1;\n"
        r"            IF v_is_lost THEN\n"
        r"                RESIGNAL;\n"
        r"            END IF;\n"
        r"(?:.*\n)+"
        r"    END part;\n"
        r"    RELEASE SAVEPOINT \1;\n"
    )
    texts = {file.name: file.text for file in routine_files("mysql")}
    parts = {name for name, text in texts.items() if handler.search(text)}
    assert parts == {name for name, text in texts.items() if "SAVEPOINT" in text}
    assert parts == {"carry_continuation", "carry_workflow_poll", "carry_activity_poll"}


def test_a_fault_is_raised_by_the_call_itself_before_any_result(caller: Caller) -> None:
    run_id = caller.begin(TIMER)
    with caller.connection.cursor() as cursor:
        cursor.execute(
            "UPDATE runs SET last_history_sequence = last_history_sequence + 1 WHERE run_id = %s", [run_id]
        )
        with pytest.raises(pymysql.Error):
            cursor.execute("CALL fire_due_timers(1000)")
    caller.remove(run_id)


def test_a_claim_for_many_polls_ends_before_its_answer_is_too_large(caller: Caller) -> None:
    large = json.dumps("x" * 2_500_000)
    runs = [caller.start(input=large) for _ in range(2)]
    (first, body, _), (second, _, _) = caller.claim(caller.poll(), caller.poll())
    assert (first, second) == ("leased", "empty")
    assert body["task"]["run_id"] == runs[0]
    assert caller.claimed().run_id == runs[1]


def test_a_poll_gets_nothing_of_the_poll_before_it(caller: Caller) -> None:
    run_id = caller.start()
    stranger = caller.poll(worker_id="a stranger")
    (first, second, third) = caller.claim(caller.poll(), stranger, caller.poll())
    assert first[0] == "leased"
    assert first[1]["task"]["run_id"] == run_id
    assert second[0] == "worker_not_registered"
    assert third == ("empty", {"task": None, "poll_status": "empty"}, None)


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "".join(map(chr, range(1, 0x80))),
        '\\u001f \\\\ \\" \\n',
        "\N{GRINNING FACE} e\N{COMBINING ACUTE ACCENT} \u0080\u009f\u2028\ufffd",
        "  trailing  ",
        "",
    ],
)
def test_a_json_string_is_escaped_as_elsewhere(caller: Caller, text: str) -> None:
    assert caller.scalar("SELECT json_string(%s)", text) == json.dumps(text, ensure_ascii=False)


def test_a_json_string_of_null_is_null(caller: Caller) -> None:
    assert caller.scalar("SELECT json_string(NULL)") is None


def test_a_run_id_is_a_uuid_of_version_7_of_its_moment(caller: Caller) -> None:
    run_id = caller.scalar("SELECT new_run_id('2030-01-01 00:00:00.123499')")
    milliseconds = int(run_id.replace("-", "")[:12], 16)
    assert milliseconds == 1893456000123
    assert run_id[14] == "7"
    assert run_id[19] in "89ab"
    assert len(run_id) == 36


def test_names_that_differ_in_any_byte_are_different_workflows(caller: Caller) -> None:
    names = [
        "byte",
        "Byte",
        "byte ",
        "byte  ",
        "b\N{LATIN SMALL LETTER Y WITH ACUTE}te",
        "by\N{COMBINING ACUTE ACCENT}te",
    ]
    assert len({caller.start(name) for name in names}) == len(names)
    for name in names:
        ((outcome, body, _),) = caller.call("describe_run", "default", name, None)
        assert (outcome, body["workflow_id"]) == ("described", name)


def test_a_type_is_polled_by_its_very_bytes(caller: Caller) -> None:
    caller.register(workflow_types='["Order","order ","ordér"]')
    caller.start()
    assert [outcome for outcome, _, _ in caller.claim()] == ["empty"]
