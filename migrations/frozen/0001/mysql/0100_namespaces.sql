-- The walls between tenants: no id of one namespace reaches a row of another.
CREATE TABLE namespaces (
    name VARCHAR(128) NOT NULL PRIMARY KEY,
    description TEXT,
    created_at DATETIME(6) NOT NULL,
    CONSTRAINT `namespace name is 1 to 128 bytes` CHECK (OCTET_LENGTH(name) BETWEEN 1 AND 128)
) COMMENT = 'One row per namespace. Bounded by what administrators create.';

INSERT INTO namespaces (name, description, created_at)
VALUES ('default', 'The namespace of requests that name none.', UTC_TIMESTAMP(6));
