export { ListLoading as default } from '#components/list-loading.tsx';
