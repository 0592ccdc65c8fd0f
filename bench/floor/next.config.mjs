export default {
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg'],
  // The bundler also looks in the folders above for a proxy and similar files, and would find the
  // product's own. With these extensions it finds none of them.
  pageExtensions: ['floor.tsx', 'floor.ts'],
};
