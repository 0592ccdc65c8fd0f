/** The configuration files of the cluster's servers. Pure. */

/** One PostgreSQL under Patroni. `data`: its data folder. */
export type Node = { name: string; port: number; restPort: number; data: string };
export type Passwords = { superuser: string; replication: string };
export type PatroniOptions = {
  node: Node;
  etcdPort: number;
  /** The folder that contains initdb and postgres. */
  programs: string;
  passwords: Passwords;
  passFile: string;
};

export const SUPERUSER = 'postgres';
export const REPLICATION = 'replicator';
const HOST = '127.0.0.1';
/**
 * Seconds. A primary whose key in etcd is this old has lost it; Patroni needs TTL >= LOOP + 2 *
 * RETRY. Servers on several machines take Patroni's own values, 30, 10 and 10.
 */
const TTL = 8;
const LOOP = 1;
const RETRY = 3;
const NO_LAG_LIMIT = 1024 ** 4;

/**
 * Patroni's configuration, as JSON, which YAML contains. A commit waits for the synchronous
 * standby; without one, commits wait (`synchronous_mode_strict`), so that the promotion of the
 * synchronous standby never loses one. `dashboard.standby_name` is the name under which the server
 * stands in `synchronous_standby_names`: by it the product knows which promotion lost nothing.
 */
export function patroniConfig(options: PatroniOptions): string {
  const { node, etcdPort, programs, passwords, passFile } = options;
  const config = {
    scope: 'payments',
    name: node.name,
    restapi: { listen: `${HOST}:${node.restPort}`, connect_address: `${HOST}:${node.restPort}` },
    etcd3: { host: `${HOST}:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: LOOP,
        retry_timeout: RETRY,
        maximum_lag_on_failover: NO_LAG_LIMIT,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: sharedParameters() },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${HOST}:${node.port}`,
      connect_address: `${HOST}:${node.port}`,
      data_dir: node.data,
      bin_dir: programs,
      pgpass: passFile,
      authentication: {
        superuser: { username: SUPERUSER, password: passwords.superuser },
        replication: { username: REPLICATION, password: passwords.replication },
      },
      parameters: { unix_socket_directories: '', 'dashboard.standby_name': node.name },
      pg_hba: [
        `host all all ${HOST}/32 scram-sha-256`,
        `host replication ${REPLICATION} ${HOST}/32 scram-sha-256`,
      ],
    },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function sharedParameters(): Record<string, string | number> {
  return {
    max_connections: 200,
    wal_log_hints: 'on',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    // A failed statement may hold a name or an IBAN, so neither it nor its row is logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    // A peer that is silent is given up within 5 s.
    tcp_keepalives_idle: 2,
    tcp_keepalives_interval: 1,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 5_000,
    wal_sender_timeout: 5_000,
    wal_receiver_timeout: 5_000,
  };
}

export type ProxyOptions = {
  /** Where browsers, and where webs and workers, connect; and the page of HAProxy's own figures. */
  webPort: number;
  databasePort: number;
  statsPort: number;
  webs: readonly { name: string; port: number }[];
  nodes: readonly Node[];
};

/**
 * HAProxy's configuration. Of the webs each gets its share of the requests, and a browser stays at
 * one while it is there, because pages name their actions by the build. Of the PostgreSQL servers
 * only the one counts whose Patroni says that it is the primary; connections to a former primary are
 * closed at once, so that nobody waits for it.
 */
export function proxyConfig(options: ProxyOptions): string {
  const { webPort, databasePort, statsPort, webs, nodes } = options;
  const web = ({ name, port }: { name: string; port: number }) =>
    `  server ${name} ${HOST}:${port} check cookie ${name}`;
  const node = ({ name, port, restPort }: Node) =>
    `  server ${name} ${HOST}:${port} check port ${restPort} tcp-ut 5s`;
  return `global
  maxconn 2000

defaults
  timeout connect 2s
  timeout check 3s

frontend dashboard
  bind ${HOST}:${webPort}
  mode http
  timeout client 65s
  default_backend webs

backend webs
  mode http
  balance leastconn
  cookie web insert indirect nocache httponly attr SameSite=Lax
  timeout server 65s
  option httpchk
  http-check send meth GET uri /api/health/live ver HTTP/1.1 hdr Host ${HOST}:${webPort}
  option redispatch 1
  retries 3
  retry-on conn-failure
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${webs.map(web).join('\n')}

listen primary
  bind ${HOST}:${databasePort} tcp-ut 5s
  mode tcp
  timeout client 24h
  timeout server 24h
  option clitcpka
  option srvtcpka
  option httpchk GET /primary
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(node).join('\n')}

listen stats
  bind ${HOST}:${statsPort}
  mode http
  timeout client 5s
  timeout server 5s
  stats enable
  stats uri /
  stats refresh 2s
`;
}

export type PoolerOptions = { port: number; databasePort: number; usersFile: string };

/** PgBouncer's configuration: transaction mode, in front of HAProxy's port of the primary. */
export function poolerConfig({ port, databasePort, usersFile }: PoolerOptions): string {
  return `[databases]
dashboard = host=${HOST} port=${databasePort} dbname=dashboard

[pgbouncer]
listen_addr = ${HOST}
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${usersFile}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 5
tcp_keepidle = 2
tcp_keepintvl = 1
tcp_keepcnt = 3
tcp_user_timeout = 5000
`;
}

/** The users that PgBouncer signs in to the database, one a line. */
export function poolerUsers(users: readonly { name: string; password: string }[]): string {
  return users.map(({ name, password }) => `"${name}" "${password}"\n`).join('');
}

export type EtcdOptions = { port: number; peerPort: number; data: string };

export function etcdArguments({ port, peerPort, data }: EtcdOptions): string[] {
  const [client, peer] = [`http://${HOST}:${port}`, `http://${HOST}:${peerPort}`];
  return [
    '--name=etcd1',
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=etcd1=${peer}`,
    '--logger=zap',
    '--log-level=warn',
  ];
}
