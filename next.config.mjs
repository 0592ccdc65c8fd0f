import createNextIntlPlugin from 'next-intl/plugin';

const withNextIntl = createNextIntlPlugin('./lib/runtime/i18n.ts');

/** @type {import('next').NextConfig} */
const config = {
  // Each build has a folder of its own, so that a running dashboard keeps the files it started
  // with.
  distDir: process.env.BUILD_DIR || '.next',
  // `npm test` checks every type, tests included; a start neither needs that nor should fail by a
  // test's type.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  // No image optimiser: it would fetch any address that a request names.
  images: { unoptimized: true },
  serverExternalPackages: ['pg', 'pino'],
  experimental: { serverActions: { bodySizeLimit: '64kb' } },
  // Some browsers request /favicon.ico whatever icon the page names.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
};

export default withNextIntl(config);
