-- Which routines this database was given, for the proof that they are the ones that were shipped.
CREATE TABLE schema_routines (
    name VARCHAR(64) NOT NULL PRIMARY KEY,
    checksum CHAR(64) NOT NULL
) COMMENT = 'One row per installed routine: the SHA-256 of the file it was made from.';
