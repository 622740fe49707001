-- Which routines this database was given, for the proof that they are the ones that were shipped.
CREATE TABLE schema_routines (
    name VARCHAR(64) NOT NULL PRIMARY KEY,
    checksum VARCHAR(255) NOT NULL
) COMMENT = 'One row per installed routine: the checksum of the shipped file and of the installed body.';
