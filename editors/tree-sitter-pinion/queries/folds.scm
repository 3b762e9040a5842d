[(technique) (pattern) (strong_link) (example) (chain) (loop) (cluster) (ring) (suppose)] @fold
