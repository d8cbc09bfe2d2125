/** The user and the group that own no files on Debian. PostgreSQL and PgBouncer refuse to run as root. */
export const unprivilegedId = 65_534;
