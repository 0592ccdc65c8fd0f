/** The parts of the frame that only a signed-in page needs, as one script (frame-islands.tsx). */
export { SearchBox } from '#app/search/search-box.tsx';
export { PageFoot } from '#app/page-foot.tsx';
export { StatusBand } from '#app/status-band.tsx';
export { WaitingFollower } from '#app/waiting-follower.tsx';
export { Shortcuts } from '#components/shortcuts.tsx';
