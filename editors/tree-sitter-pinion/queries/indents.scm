[(technique) (pattern) (strong_link) (example) (chain) (loop) (cluster) (ring) (suppose)] @indent.begin
"}" @indent.branch
