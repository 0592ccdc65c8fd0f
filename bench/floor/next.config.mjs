export default {
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg'],
  // The bundler searches the folders above for a proxy and similar files, and would find the
  // product's own: these names differ from them.
  pageExtensions: ['floor.tsx', 'floor.ts'],
};
