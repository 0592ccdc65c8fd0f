export default {
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg'],
  // The bundler looks for a proxy and the like in the folders above, where the product has its own:
  // those have other names.
  pageExtensions: ['floor.tsx', 'floor.ts'],
};
